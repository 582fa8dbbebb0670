/** The value at this percentile (a share from 0 to 1); 0 for an empty list. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? 0

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export const rounded = (value: number): number => Math.round(value * 100) / 100
