import { lazyPart } from '../../lib/page/lazy-part.tsx'

/** Loaded when they are shown: most tokens are made without limits. */
export const LimitFields = lazyPart(async () => (await import('./limit-fields.tsx')).LimitFields)
