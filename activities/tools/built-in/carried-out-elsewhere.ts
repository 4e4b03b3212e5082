/** For tools whose calls the workflow carries out (C1.6): an activity never runs them. */
import type { ToolResult } from '../types.ts';

export function carriedOutElsewhere(): ToolResult {
  return {
    success: false,
    output: '',
    error: 'this tool is carried out by the turn itself and cannot be run by a worker',
  };
}
