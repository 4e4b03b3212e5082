/** A question with its call, and what an answer to it is worth. */
import type { Verdict } from '../../core/question.ts';
import type { CallRow, NewQuestion, RecordedResult } from '../../store/api.ts';

export type Open = { question: NewQuestion; call: CallRow };
export type Judged = { verdict: Verdict; record?: RecordedResult; edited?: CallRow };
