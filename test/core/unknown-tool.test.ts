import { describe, expect, it } from 'vitest';
import { nearestNames } from '../../core/nearest.ts';
import { displayName, unknownToolText } from '../../core/unknown-tool.ts';

const names = ['shell', 'file_read', 'file_write', 'glob_search', 'wait'];

describe('C4.4 an unknown tool', () => {
  it('is answered with the nearest effective names, at most 20', () => {
    expect(nearestNames('read_file', names)[0]).toBe('file_read');
    expect(nearestNames('shel', names)[0]).toBe('shell');
    expect(
      nearestNames(
        'x',
        Array.from({ length: 50 }, (_, index) => `tool_${index}`),
      ),
    ).toHaveLength(20);
    expect(unknownToolText('read_file', names)).toBe(
      'There is no tool "read_file". Tools that exist: file_read, file_write, wait, shell, glob_search.',
    );
  });

  it.each(['parallel', 'multi_tool_use.parallel', 'multi_tool_use_parallel'])('%s: call the tools directly', (name) => {
    expect(unknownToolText(name, names)).toContain('Call the tools directly');
  });

  it('B35 never echoes a polluted name', () => {
    const bad = '{"q": "cats"} | lookup';
    expect(unknownToolText(bad, names)).not.toContain('cats');
    expect(displayName(`a\u0000\n${'x'.repeat(100)}`)).toHaveLength(64);
  });

  it('says so when there are no tools at all', () => {
    expect(unknownToolText('x', [])).toContain('has no tools');
  });
});
