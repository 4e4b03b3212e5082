// Reads one file out of a zip archive: enough of the format for wheels (stored or deflated, below 4 GiB).
import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { BootError } from './boot-error.mjs';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;

/**
 * @param {string} suffix the end of the entry's name
 * @returns {Buffer} the entry's content
 * @throws BootError when the archive is damaged or has no such entry
 */
export function readZipEntry(file, suffix) {
  const zip = readFileSync(file);
  for (const entry of entriesOf(zip, file)) {
    if (!entry.name.endsWith(suffix)) continue;
    // The name and extra field of the local header may differ in length from those of the directory.
    const data = entry.at + 30 + zip.readUInt16LE(entry.at + 26) + zip.readUInt16LE(entry.at + 28);
    const packed = zip.subarray(data, data + entry.packedSize);
    const content = entry.method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: entry.size + 1 });
    if (content.length === entry.size) return content;
    throw damaged(file, `${entry.name} has ${content.length} bytes instead of ${entry.size}`);
  }
  throw damaged(file, `it holds no ${suffix}`);
}

function* entriesOf(zip, file) {
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  if (end < 0) throw damaged(file, 'it has no directory');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw damaged(file, 'its directory is broken');
    const nameLength = zip.readUInt16LE(at + 28);
    yield {
      name: zip.toString('utf8', at + 46, at + 46 + nameLength),
      method: zip.readUInt16LE(at + 10),
      packedSize: zip.readUInt32LE(at + 20),
      size: zip.readUInt32LE(at + 24),
      at: zip.readUInt32LE(at + 42),
    };
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}

function damaged(file, why) {
  return new BootError(`the archive ${file} cannot be used`, { seen: why, todo: 'try again; it is fetched anew' });
}
