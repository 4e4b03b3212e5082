// The demo's throw-away deployment: a folder with a configuration, a scripted model and a workspace.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Deployment = { folder: string; workspace: string; config: string; remove: () => Promise<void> };

const CONFIG = (tools: string) => `version: 1
data: state
providers:
  demo: { kind: scripted, script: script.yaml, models: { small: {} } }
agents:
  main:
    model: demo/small
    instructions: You keep the books.
    workspace: ./workspace
    policy: { auto_approve: [book_invoice] }
tools: { modules: [${JSON.stringify(tools)}] }
`;

/** The same conversation always gets the same answer, so a restart changes nothing. */
const SCRIPT = `responses:
  - when: { step: 1 }
    say: ["I will see ", {wait_ms: 150}, "what there is ", {wait_ms: 150}, "to bill."]
    calls: [{ name: shell, arguments: { command: "cat orders.csv" } }]
    usage: { input: 180, output: 24 }
  - when: { step: 2 }
    say: ["One order is open. ", {wait_ms: 150}, "I will book its invoice."]
    calls: [{ name: book_invoice, arguments: { customer: "Ada", amount: 420 } }]
    usage: { input: 240, output: 31 }
  - when: { step: 3 }
    say: Booked. Now the customer should know.
    calls: [{ name: send_mail, arguments: { to: "ada@example.org", text: "Your invoice over 420 is attached." } }]
    usage: { input: 290, output: 38 }
  - when: { last_result: "Sent to" }
    say: ["The invoice of Ada over 420 is booked ", {wait_ms: 150}, "and sent."]
    usage: { input: 340, output: 16 }
otherwise:
  say: The invoice of Ada over 420 is booked. It was not sent.
  usage: { input: 340, output: 15 }
`;

export async function createDeployment(): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'everturn-demo-'));
  const workspace = join(folder, 'workspace');
  const config = join(folder, 'everturn.yaml');
  await mkdir(workspace);
  await writeFile(join(workspace, 'orders.csv'), 'customer,amount,state\nAda,420,open\nBen,80,paid\n');
  await writeFile(join(folder, 'script.yaml'), SCRIPT);
  await writeFile(config, CONFIG(fileURLToPath(new URL('./tools.ts', import.meta.url))));
  return { folder, workspace, config, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}
