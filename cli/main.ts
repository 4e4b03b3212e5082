// The program: reads the command line and ends with the exit code of I3. Loads nothing that the command does not need.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';

enableCompileCache(join(cacheFolder(), 'compile-cache'));
// A reader that has seen enough (`| head`) is no fault of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
// Nobody reads our notes any more; what runs is not harmed by that.
process.stderr.on('error', () => {});

const { runProgram } = await import('./program.ts');
process.exitCode = await runProgram(process.argv.slice(2));
