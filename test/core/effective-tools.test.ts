// The one function that says which tools a turn may use (C2.2–C2.4, C2.10).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveTools, isExcluded, whyNot } from '../../core/effective-tools.ts';

const known = ['shell', 'file_read', 'file_write', 'wait'];
const limits = { known, allowed: [], excluded: [] };

describe('the effective tools', () => {
  it('C2.3 are all of them without a list, else exact names', () => {
    expect(effectiveTools(limits)).toEqual(['file_read', 'file_write', 'shell', 'wait']);
    expect(effectiveTools({ ...limits, allowed: ['shell', 'Wait', 'none'] })).toEqual(['shell']);
  });

  it('C2.3 never hold an excluded one, however it is spelt', () => {
    const excluded = [' SHELL ', 'File_Write'];
    expect(effectiveTools({ ...limits, allowed: ['shell', 'wait'], excluded })).toEqual(['wait']);
    expect(isExcluded(excluded, 'Shell')).toBe(true);
    expect(isExcluded([''], 'shell')).toBe(false);
  });

  it('C2.4 intersect with the list of the turn; an empty one means none', () => {
    expect(effectiveTools({ ...limits, perRun: ['wait', 'shell', 'other'] })).toEqual(['shell', 'wait']);
    expect(effectiveTools({ ...limits, allowed: ['shell'], perRun: ['wait'] })).toEqual([]);
    expect(effectiveTools({ ...limits, perRun: [] })).toEqual([]);
    expect(effectiveTools({ ...limits, perRun: undefined })).toHaveLength(4);
  });

  it('say why one is missing', () => {
    expect(whyNot('shell', { allowed: ['shell'], excluded: ['shell'] })).toBe('excluded');
    expect(whyNot('wait', { allowed: ['shell'], excluded: [] })).toBe('not allowed');
    expect(whyNot('wait', { allowed: [], excluded: [], perRun: [] })).toBe('not in this turn');
    expect(whyNot('wait', { allowed: [], excluded: [], perRun: ['wait'] })).toBeUndefined();
  });

  it('C3.1 come in one order, however they were listed, each once', () => {
    const names = fc.array(fc.constantFrom(...known, 'a', 'B', 'b_c'));
    fc.assert(
      fc.property(names, names, names, fc.option(names, { nil: undefined }), (all, allowed, excluded, perRun) => {
        const result = effectiveTools({ known: all, allowed, excluded, perRun });
        const turned = effectiveTools({ known: all.toReversed(), allowed, excluded, perRun });
        expect(turned).toEqual(result);
        expect(new Set(result).size).toBe(result.length);
        for (const name of result) {
          expect(all).toContain(name);
          expect(isExcluded(excluded, name)).toBe(false);
          if (perRun) expect(perRun).toContain(name);
        }
      }),
    );
  });
});
