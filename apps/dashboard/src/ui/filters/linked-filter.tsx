import { lazyPart } from '../../lib/page/lazy-part.tsx'

/** Loaded when a link has set one: most lists are opened without. */
export const LinkedFilter = lazyPart(async () => (await import('./linked-pill.tsx')).LinkedPill)
