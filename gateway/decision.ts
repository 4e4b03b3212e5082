/** From an answer to a signed decision (C5.3, C5.5): what the choice needs, what the texts may hold. Pure but for the edit's check. */
import type { DecisionRequest } from '../client/types.ts';
import type { JsonObject } from '../core/json.ts';
import { CHOICES, type DecisionBody } from '../core/question.ts';
import type { QuestionRow, SignedDecision } from '../store/api.ts';
import { byteLength, cleanText, NOTE_BYTES } from './clean-text.ts';
import type { GatewayDeps } from './deps.ts';
import { ApiFailure } from './failure.ts';
import { restorePlaceholders } from './placeholders.ts';
import { parsed } from './transcript-json.ts';

const WITH_TEXT = ['replace', 'answer'];

export type Answerer = { by: string; surface: string };

/** @throws ApiFailure 422 when the answer does not fit the question */
export async function makeDecision(
  deps: GatewayDeps,
  question: QuestionRow,
  request: DecisionRequest & { decisionId: string },
  who: Answerer,
): Promise<SignedDecision> {
  checkFit(question, request);
  const note = noteOf(request);
  const text = textOf(request);
  const edited = await editOf(deps, question, request);
  const body: DecisionBody = {
    decisionId: request.decisionId,
    approvalId: question.approvalId,
    turnId: question.turnId,
    callId: question.callId,
    kind: question.kind,
    choice: request.choice,
    argumentHash: question.argumentHash,
    policyHash: question.policyHash,
    ...(edited === undefined ? {} : { newArgumentHash: edited.argumentHash }),
    ...who,
    at: new Date(deps.now()).toISOString(),
  };
  return deps.sign(body, {
    ...(text === undefined ? {} : { text }),
    ...(note === undefined ? {} : { note }),
    ...(edited === undefined ? {} : { newArguments: edited.canonical }),
  });
}

function checkFit(question: QuestionRow, request: DecisionRequest): void {
  const choices = CHOICES[question.kind];
  if (!choices.includes(request.choice)) {
    throw invalid(
      'choice_not_offered',
      `"${request.choice}" does not answer this question.`,
      `Choices: ${choices.join(', ')}.`,
    );
  }
  if (request.argumentHash !== question.argumentHash) {
    throw invalid(
      'argument_hash_mismatch',
      'The answer is for other arguments than those of this question.',
      'Read the question again (GET /api/v1/approvals/ID), decide on what it shows, and send its argumentHash.',
    );
  }
  if (request.arguments !== undefined && request.choice !== 'edit') {
    throw invalid(
      'field_not_for_choice',
      '`arguments` goes with the choice "edit" only.',
      'Leave it out, or choose "edit".',
    );
  }
  if (request.text !== undefined && !WITH_TEXT.includes(request.choice)) {
    throw invalid(
      'field_not_for_choice',
      '`text` goes with "replace" and "answer" only.',
      'Use `note` for words to the model.',
    );
  }
}

function noteOf(request: DecisionRequest): string | undefined {
  if (request.note === undefined) return undefined;
  const note = cleanText(request.note).trim();
  if (byteLength(note) > NOTE_BYTES) {
    throw invalid(
      'note_too_long',
      `A note holds at most ${NOTE_BYTES} bytes.`,
      'Say it shorter, or use "replace" for a longer text.',
    );
  }
  return note === '' ? undefined : note;
}

function textOf(request: DecisionRequest): string | undefined {
  if (!WITH_TEXT.includes(request.choice)) return undefined;
  const text = cleanText(request.text ?? '');
  if (text.trim() !== '') return text;
  throw invalid('text_needed', `The choice "${request.choice}" needs a text.`, 'Send `text`; it may not be empty.');
}

async function editOf(deps: GatewayDeps, question: QuestionRow, request: DecisionRequest) {
  if (request.choice !== 'edit') return undefined;
  if (request.arguments === undefined) {
    throw invalid(
      'arguments_needed',
      'The choice "edit" needs the new arguments.',
      'Send all of them as the object `arguments`.',
    );
  }
  const restored = restorePlaceholders(parsed(question.arguments), request.arguments as JsonObject, deps.render);
  const verdict = restored.ok ? await deps.checkEdit(question, restored.args) : restored;
  if (verdict.ok) return verdict;
  const errors = verdict.errors.slice(0, 10).map((error) => deps.render.text(error));
  throw invalid(
    'invalid_edit',
    `The edited arguments cannot be used: ${errors.join('; ')}`,
    'The question is still open. Correct the arguments, or choose another answer.',
  );
}

const invalid = (code: string, message: string, hint: string) => new ApiFailure(422, code, { message, hint });
