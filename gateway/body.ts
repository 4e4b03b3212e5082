/** Reads the body of a request: JSON of at most 1 MiB, refused as soon as it is known to be more. */
import { ApiFailure } from './failure.ts';

export const BODY_LIMIT = 1_048_576;

/** An absent body is `{}` where the schema allows that. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const declared = Number(request.headers.get('content-length') ?? '0');
  if (declared > BODY_LIMIT) throw tooLarge();
  const type = request.headers.get('content-type');
  const bytes = await readBytes(request);
  if (bytes.length === 0) return {};
  if (type === null || !/^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type)) throw wrongType(type);
  return parse(bytes);
}

async function readBytes(request: Request): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(parts);
    size += value.length;
    if (size > BODY_LIMIT) {
      await reader.cancel().catch(() => undefined);
      throw tooLarge();
    }
    parts.push(value);
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'it is not UTF-8';
    throw new ApiFailure(400, 'malformed_json', {
      message: 'The body is not JSON.',
      hint: `Send one JSON object in UTF-8. The parser says: ${why.replace(/"[^"]*"\.{3} is/, 'the text is').slice(0, 120)}`,
    });
  }
}

const tooLarge = () =>
  new ApiFailure(
    413,
    'body_too_large',
    {
      message: `A body holds at most ${BODY_LIMIT} bytes.`,
      hint: 'Put long material into a file of the workspace and name the file in the text.',
    },
    { headers: { connection: 'close' } },
  );

const wrongType = (type: string | null) =>
  new ApiFailure(415, 'wrong_content_type', {
    message: `The body must be application/json, not ${type === null ? 'unnamed' : `"${type.slice(0, 80)}"`}.`,
    hint: 'Send the header "Content-Type: application/json".',
  });
