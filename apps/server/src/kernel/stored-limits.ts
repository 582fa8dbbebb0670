import { limitsAnything, noTokenLimits, tokenLimits, type TokenLimits } from '@gatehouse/contract'

/** What a token is limited to. Throws where only hands can have written it so. */
export const readLimits = (stored: string | null): TokenLimits =>
  stored === null ? noTokenLimits : tokenLimits.parse(JSON.parse(stored))

/** Null: nothing is limited. */
export const storedLimits = (limits: TokenLimits | null | undefined): string | null =>
  limits && limitsAnything(limits) ? JSON.stringify(limits) : null
