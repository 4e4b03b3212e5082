// @ts-nocheck
import { missing } from './not-there.ts';

export default missing;
