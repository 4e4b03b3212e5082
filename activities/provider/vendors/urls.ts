/** Where vendors answer, unless a configuration says otherwise (a proxy, a region, a test). */
export const VENDOR_URLS = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const;
