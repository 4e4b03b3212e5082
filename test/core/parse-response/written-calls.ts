// Writes a call in every form that the text protocol knows, for the tests that plant calls in texts.
export type Planted = { name: string; args: Record<string, unknown> };

/** The whole response, or a stretch of it that stands in a line of its own. */
export type Writer = {
  form: string;
  dialect?: string;
  whole?: true;
  byTags?: true;
  write(calls: readonly Planted[]): string;
};

const json = ({ name, args }: Planted, key = 'arguments'): string => JSON.stringify({ name, [key]: args });
const each = (calls: readonly Planted[], write: (call: Planted) => string, between = '\n'): string =>
  calls.map(write).join(between);
const said = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const params = ({ args }: Planted, write: (key: string, value: string) => string): string =>
  Object.entries(args)
    .map(([key, value]) => write(key, said(value)))
    .join('\n');

const invoke = (call: Planted): string =>
  `<invoke name="${call.name}">\n${params(call, (key, value) => `<parameter name="${key}">${value}</parameter>`)}\n</invoke>`;
const qwen = (call: Planted): string =>
  `<function=${call.name}>\n${params(call, (key, value) => `<parameter=${key}>\n${value}\n</parameter>`)}\n</function>`;
const glm = (call: Planted): string =>
  `${call.name}\n${params(call, (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>`)}\n`;
const attributes = ({ name, args }: Planted): string =>
  [name, ...Object.entries(args).map(([key, value]) => `${key}=${JSON.stringify(said(value))}`)].join(' ');
const element = (call: Planted): string =>
  `<${call.name}>${params(call, (key, value) => `<${key}>${value}</${key}>`)}</${call.name}>`;

const dsml = (bar: string) => (calls: readonly Planted[]) => {
  const open = `${bar}DSML${bar}`;
  const call = (one: Planted) =>
    `<${open}invoke name="${one.name}">\n${params(one, (key, value) => `<${open}parameter name="${key}" string="${typeof one.args[key] === 'string'}">${value}</${open}parameter>`)}\n</${open}invoke>`;
  return `<${open}tool_calls>\n${each(calls, call)}\n</${open}tool_calls>`;
};

const MINIMAX = ']<]minimax[>[';
const minimax = (call: Planted): string =>
  `${MINIMAX}<invoke name="${call.name}">\n${params(call, (key, value) => `${MINIMAX}<${key}>${value}${MINIMAX}</${key}>`)}\n${MINIMAX}</invoke>`;

export const WRITERS: readonly Writer[] = [
  { form: 'tag', write: (calls) => each(calls, (call) => `<tool_call>${json(call)}</tool_call>`) },
  { form: 'tag in one line', write: (calls) => each(calls, (call) => `<tool_call>${json(call)}</tool_call>`, ' ') },
  {
    form: 'tag, laid out',
    write: (calls) =>
      each(
        calls,
        (call) => `<tool-call>\n${JSON.stringify(call, null, 2).replace('"args"', '"arguments"')}\n</tool-call>`,
      ),
  },
  { form: 'tag, not closed', write: (calls) => each(calls, (call) => `<tool_call>${json(call)}`) },
  {
    form: 'tag, closed by another',
    write: (calls) => each(calls, (call) => `<toolcall>${json(call, 'parameters')}</invoke>`),
  },
  {
    form: 'tag around a list',
    write: (calls) => `<tool_calls>[${each(calls, (call) => json(call), ', ')}]</tool_calls>`,
  },
  {
    form: 'tag around tags',
    write: (calls) => `<tool_calls>${each(calls, (call) => `<tool_call>${json(call)}</tool_call>`)}</tool_calls>`,
  },
  { form: 'tag, several values', write: (calls) => `<tool_call>${each(calls, (call) => json(call))}</tool_call>` },
  {
    form: 'tag, nested',
    write: (calls) =>
      each(
        calls,
        ({ name, args }) =>
          `<tool_call>${JSON.stringify({ type: 'function', function: { name, arguments: JSON.stringify(args) } })}</tool_call>`,
      ),
  },
  {
    form: 'tag, invoke',
    byTags: true,
    write: (calls) => `<minimax:tool_call>\n${each(calls, invoke)}\n</minimax:tool_call>`,
  },
  {
    form: 'tag, function',
    byTags: true,
    write: (calls) => each(calls, (call) => `<tool_call>\n${qwen(call)}\n</tool_call>`),
  },
  { form: 'tag, keys', byTags: true, write: (calls) => each(calls, (call) => `<tool_call>${glm(call)}</tool_call>`) },
  { form: 'tag, attributes', write: (calls) => each(calls, (call) => `<tool_call>${attributes(call)}</tool_call>`) },
  {
    form: 'tag, elements',
    byTags: true,
    write: (calls) => each(calls, (call) => `<tool_call>${element(call)}</tool_call>`),
  },
  { form: 'tools', write: ([call]) => `<tools>${json(call as Planted)}</tools>` },
  {
    form: 'fence',
    dialect: 'fence',
    write: (calls) => each(calls, (call) => `\`\`\`tool_call\n${json(call)}\n\`\`\``),
  },
  {
    form: 'named fence',
    dialect: 'fence',
    write: (calls) => each(calls, ({ name, args }) => `\`\`\`tool ${name}\n${JSON.stringify(args)}\n\`\`\``),
  },
  { form: 'invoke', dialect: 'invoke', byTags: true, write: (calls) => each(calls, invoke) },
  { form: 'function', dialect: 'invoke', byTags: true, write: (calls) => each(calls, qwen) },
  { form: 'word', dialect: 'function_call', write: (calls) => each(calls, (call) => `TOOL_CALL ${json(call)}`) },
  {
    form: 'bracket',
    dialect: 'minimax',
    write: (calls) => each(calls, (call) => `[TOOL_CALL]${json(call)}[/TOOL_CALL]`),
  },
  {
    form: 'arrow',
    dialect: 'minimax',
    write: (calls) =>
      each(
        calls,
        ({ name, args }) =>
          `[TOOL_CALL]\n{tool => "${name}", args => {\n${Object.entries(args)
            .map(([key, value]) => `  --${key} ${JSON.stringify(said(value))}`)
            .join('\n')}\n}}\n[/TOOL_CALL]`,
      ),
  },
  {
    form: 'minimax',
    dialect: 'minimax',
    byTags: true,
    write: (calls) => `${MINIMAX}<tool_call>\n${each(calls, minimax)}\n${MINIMAX}</tool_call>`,
  },
  ...['｜', '｜｜', '‖', '|'].map(
    (bar): Writer => ({ form: `deepseek ${bar}`, dialect: 'deepseek', byTags: true, write: dsml(bar) }),
  ),
  {
    form: 'kimi',
    dialect: 'kimi',
    write: (calls) =>
      `<|tool_calls_section_begin|>${calls.map(({ name, args }, nth) => `<|tool_call_begin|>functions.${name}:${nth}<|tool_call_argument_begin|>${JSON.stringify(args)}<|tool_call_end|>`).join('')}<|tool_calls_section_end|>`,
  },
  {
    form: 'mistral',
    dialect: 'mistral',
    write: (calls) => each(calls, ({ name, args }) => `[TOOL_CALLS]${name}[ARGS]${JSON.stringify(args)}`, ''),
  },
  {
    form: 'mistral list',
    dialect: 'mistral',
    write: (calls) => `[TOOL_CALLS] [${each(calls, (call) => json(call), ', ')}]`,
  },
  {
    form: 'llama',
    dialect: 'llama',
    whole: true,
    write: (calls) => `<|python_tag|>${each(calls, (call) => json(call, 'parameters'), '; ')}`,
  },
  {
    form: 'llama, joined',
    dialect: 'llama',
    whole: true,
    write: (calls) => each(calls, (call) => json(call, 'parameters'), '; '),
  },
  { form: 'object', whole: true, write: ([call]) => json(call as Planted) },
  { form: 'list', whole: true, write: (calls) => `[${each(calls, (call) => json(call), ',\n')}]` },
  {
    form: 'tool_calls',
    whole: true,
    write: (calls) => JSON.stringify({ tool_calls: calls.map(({ name, args }) => ({ name, arguments: args })) }),
  },
  {
    form: 'json fence',
    whole: true,
    write: ([call]) => `\`\`\`json\n${JSON.stringify({ name: call?.name, parameters: call?.args }, null, 2)}\n\`\`\``,
  },
  {
    form: 'tag in a fence',
    whole: true,
    write: (calls) => `\`\`\`xml\n${each(calls, (call) => `<tool_call>${json(call)}</tool_call>`)}\n\`\`\``,
  },
];
