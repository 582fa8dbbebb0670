/** Why a function can't use a value, as the end of a sentence. */
export class ValueFault extends Error {}
