// The suite that every adapter passes.
import { google } from '../../../../activities/provider/vendors/google.ts';
import { googleDialect } from '../../../support/vendor-wire.ts';
import { providerContract } from '../contract.ts';

providerContract('google', {
  dialect: googleDialect,
  make: ({ baseUrl, apiKey, limits, scrub }) => google({ name: 'vendor', baseUrl, apiKey, limits, scrub }),
});
