// The suite that every adapter passes.
import { openAi } from '../../../../activities/provider/vendors/openai.ts';
import { openAiDialect } from '../../../support/vendor-wire.ts';
import { providerContract } from '../contract.ts';

providerContract('openai', {
  dialect: openAiDialect,
  make: ({ baseUrl, apiKey, limits, scrub }) => openAi({ name: 'vendor', baseUrl, apiKey, limits, scrub }),
});
