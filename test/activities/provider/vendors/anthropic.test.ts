// The suite that every adapter passes.
import { anthropic } from '../../../../activities/provider/vendors/anthropic.ts';
import { anthropicDialect } from '../../../support/vendor-wire.ts';
import { providerContract } from '../contract.ts';

providerContract('anthropic', {
  dialect: anthropicDialect,
  make: ({ baseUrl, apiKey, limits, scrub }) => anthropic({ name: 'vendor', baseUrl, apiKey, limits, scrub }),
});
