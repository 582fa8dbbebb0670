/**
 * Where a mapping row or a condition of a workflow reads: 0 for `input`, N for `steps.N.body`.
 * Undefined for anything else.
 */
export function stepOfSource(source: string): number | undefined {
  if (source === 'input') return 0
  const [, step] = /^steps\.([1-9]\d?)\.body$/.exec(source) ?? []
  return step === undefined ? undefined : Number(step)
}
