/** A failure that a tool expects: becomes a failed result whose error is this message, for the model. */
export class ToolFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolFault';
  }
}
