/** What is known of one call before it runs (C0, C1.6, C11.2): facts, never a verdict. */

/** What a tool does to the world: nothing, something that may be repeated, something that may not. */
export type Effect = 'none' | 'idempotent' | 'once';

export type RiskLevel = 'low' | 'medium' | 'high';

export type Risk = { level: RiskLevel; reasons: string[] };

export type Assessment = {
  effect: Effect;
  risk: Risk;
  /** false: the rule threw or was too slow; then it is medium and asked at full autonomy too (C5.1). */
  assessed: boolean;
  /** A fact that no policy can allow: a forbidden path, a background `&`, a banned argument. */
  blocked?: string;
  /** Shell: commands outside the allow list; blocked at full autonomy, asked otherwise. */
  unlisted?: string[];
  /** Shell: every part of the command is on a list that the operator wrote (not the default list). */
  everyPartListed?: boolean;
  /** Shell: names of the commands that were found, in order. */
  commands?: string[];
  /** Resolved paths that the call touches. */
  paths?: { path: string; access: 'read' | 'write' }[];
  hosts?: string[];
};

/** The part of an assessment that the workflow decides on; short, so that history stays flat. */
export type CallFacts = {
  effect: Effect;
  risk: RiskLevel;
  /** At most three reasons of 80 characters. */
  reasons: string[];
  assessed: boolean;
  blocked?: string;
  unlisted?: boolean;
  everyPartListed?: boolean;
};

export function factsOf(assessment: Assessment): CallFacts {
  return {
    effect: assessment.effect,
    risk: assessment.risk.level,
    reasons: assessment.risk.reasons.slice(0, 3).map((reason) => reason.slice(0, 80)),
    assessed: assessment.assessed,
    ...(assessment.blocked === undefined ? {} : { blocked: assessment.blocked.slice(0, 200) }),
    ...(assessment.unlisted?.length ? { unlisted: true } : {}),
    ...(assessment.everyPartListed ? { everyPartListed: true } : {}),
  };
}

/** The assessment of a call whose rule failed (C5.1): medium, not assessed. */
export function notAssessed(effect: Effect, why: string): Assessment {
  return { effect, risk: { level: 'medium', reasons: [`not assessed: ${why}`] }, assessed: false };
}
