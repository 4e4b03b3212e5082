/** The text of a first `everturn.yaml`: short, commented, and what is left out is the default. */

export type Starter = {
  /** Name of the provider in the file. */
  provider: string;
  baseUrl: string;
  /** The model's name as its server knows it. */
  model: string;
  /** Environment variable that holds the key; undefined for a server that wants none. */
  apiKeyEnv: string | undefined;
};

/** A model server on this machine, as several of them answer by default. */
export const DEFAULT_STARTER: Starter = {
  provider: 'local',
  baseUrl: 'http://127.0.0.1:11434/v1',
  model: 'small',
  apiKeyEnv: 'LOCAL_API_KEY',
};

export function starterText(starter: Starter): string {
  const { provider, baseUrl, model, apiKeyEnv } = starter;
  const key =
    apiKeyEnv === undefined
      ? '    # api_key: { env: NAME }         # a reference (env or file); the key itself never stands here'
      : `    api_key: { env: ${apiKeyEnv} }    # a reference (env or file); the key itself never stands here`;
  return `# Everturn configuration. What is left out keeps its default; \`everturn config show --origin\` shows all of it.
# Paths are relative to this file. \`everturn config validate\` checks it, \`everturn doctor\` checks the machine too.
version: 1
data: .everturn                      # state: database, keys. Keep it out of version control

providers:
  ${provider}:
    kind: openai-compatible          # any server that answers /chat/completions
    base_url: ${quoted(baseUrl)}
${key}
    models:
      ${quoted(model)}: {}           # { context_tokens: 32000, price: { input: 0, output: 0 } } where you know them

agents:
  main:
    model: ${quoted(`${provider}/${model}`)}
    instructions: You are a careful assistant.
    workspace: ./workspace           # the folder that its tools work in
    # allowed_tools: [file_read, file_list]   # empty or left out: all
    # excluded_tools: [shell]                 # always wins
    policy:
      autonomy: supervised           # readonly | supervised | full
      always_ask: []                 # tools to ask about every time
      auto_approve: []               # tools that need no question; low risk needs no entry

approvals:
  timeout: 300s                      # while somebody is watching
  unattended: park                   # nobody there: park the question, or deny
  unattended_timeout: 24h

gateway: { host: 127.0.0.1, port: 7410 }
`;
}

function quoted(text: string): string {
  return /^[A-Za-z0-9_][A-Za-z0-9_./-]*$/.test(text) && !/^(true|false|null|\d.*)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
