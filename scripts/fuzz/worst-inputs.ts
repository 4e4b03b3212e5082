// Inputs that cost a reader of text most: one piece of the grammar, or a few, again and again up to a size.
import { PIECES } from '../../test/core/parse-response/grammar.ts';

const UNITS = [
  '\n<tool_call>',
  '\n<tool_call>{"name":"',
  "\n<tool_call>{'a':'",
  '\n<tool_call>[1,',
  '\n{"name":[1,2,',
  '\n{"name":"shell","arguments":',
  '<tool_call>{"name":"now","arguments":{}}</tool_call>',
  '<tool_call>now</tool_call>',
  '<tool_call>shell cmd="a"</tool_call>',
  '<tool_call>shell<arg_key>cmd</arg_key><arg_value>x</arg_value></tool_call>',
  '\n<tool_call><shell><cmd>x</cmd>y',
  '\n<tool_call>a/b>',
  '<invoke name="shell"><parameter name="cmd">x</parameter></invoke>',
  '\n<invoke name="shell"><parameter name="cmd">x',
  '<FunctionCall>shell<code>cmd>x</code></FunctionCall>',
  '</FunctionCall>a/b><invoke name="now"/>',
  '<tools>{"name":"now","arguments":{}}',
  '[TOOL_CALLS]now[ARGS]{}',
  '<|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|>',
  '<｜DSML｜tool_calls><｜DSML｜invoke name="now"></｜DSML｜invoke></｜DSML｜tool_calls>',
  ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="now">]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
  '\nshell/cmd>ls',
  '\n```tool_call\n{"name":"now","arguments":{}}\n```',
  '\n```\n<tool_call>',
  '\n> <tool_call>',
  '`<tool_call>` ``<tool_call>``` ',
  '<think>x</think>',
  '{"a":',
  '[',
  '\\"',
  '" ',
  'a b ',
  '<a b="c">x</a>',
  '<a ',
];

export type WorstInput = { name: string; make(size: number): string };

/** Each unit alone, behind a marker, and before one. `make` gives at least so many characters. */
export const WORST_INPUTS: readonly WorstInput[] = [...new Set([...UNITS, ...PIECES])].flatMap((unit) => {
  const many = (size: number) => unit.repeat(Math.ceil(size / unit.length));
  return [
    { name: JSON.stringify(unit), make: many },
    { name: `a tag, then ${JSON.stringify(unit)}`, make: (size: number) => `<tool_call>${many(size)}` },
    { name: `${JSON.stringify(unit)}, then a tag`, make: (size: number) => `${many(size)}<tool_call>` },
  ];
});
