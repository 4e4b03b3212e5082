export const broken = { name: 'broken', execute: 'not a function' };
export const badName = { name: 'a__b', description: 'x', parameters: {}, execute() {}, assess() {} };
