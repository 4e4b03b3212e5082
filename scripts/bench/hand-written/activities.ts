// The hand-written loop's activities: references in, references out.
export type HandWritten = typeof handWrittenActivities;

export const handWrittenActivities = {
  begin: async ({ turnId }: { turnId: string }): Promise<string> => `head-${turnId}`,
  callProvider: async ({ step, head }: { turnId: string; step: number; head: string }) => ({
    head: `${head.slice(0, 32)}-${step}`,
    call: { name: 'produce', ref: `arguments-${step}` },
  }),
  runTool: async ({ step }: { turnId: string; step: number; call: { name: string; ref: string } }) => ({
    ref: `result-${step}`,
    success: true,
  }),
  end: async ({ head }: { turnId: string; head: string }): Promise<string> => head,
};
