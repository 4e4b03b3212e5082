/** The built-in tools (C1.6), one file each. */
import type { Tool } from '../types.ts';
import { askUser } from './ask-user.ts';
import { contentSearch } from './content-search.ts';
import { effectJournal } from './effect-journal.ts';
import { fileEdit } from './file-edit.ts';
import { fileList } from './file-list.ts';
import { fileRead } from './file-read.ts';
import { fileWrite } from './file-write.ts';
import { globSearch } from './glob-search.ts';
import { resultRead } from './result-read.ts';
import { shell } from './shell.ts';
import { todoWrite } from './todo-write.ts';
import { wait } from './wait.ts';

export type BuiltInOptions = {
  /** The product's own configuration and state (C11.3): the data folder, everturn.yaml, key files. Absolute paths. */
  ownState?: readonly string[];
  /** Where file tools remember what they are changing; default: below the system's temporary folder. */
  effectFolder?: string;
};

export function builtInTools({ ownState = [], effectFolder }: BuiltInOptions = {}): Tool[] {
  const own = { ownState, journal: effectJournal(effectFolder) };
  return [
    shell(own),
    fileRead(own),
    fileList(own),
    fileWrite(own),
    fileEdit(own),
    globSearch(own),
    contentSearch(own),
    resultRead(),
    wait(),
    askUser(),
    todoWrite(),
  ];
}
