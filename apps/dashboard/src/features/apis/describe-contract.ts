import type { ProcedureContract } from '@gatehouse/contract'

type Version = Pick<NonNullable<ProcedureContract['locked']>, 'signature' | 'shapes'>

/** A procedure's signature and results as lines of text, to set two versions side by side. */
export function describeVersion({ signature, shapes }: Version): string {
  const parameters = signature.parameters.map(
    ({ direction, name, type, hasDefault }) =>
      `  ${direction} ${name} ${type}${hasDefault ? ' (may be left out)' : ''}`,
  )
  const sets = (shapes ?? []).flatMap((columns, at) => [
    `record set ${at + 1}`,
    ...columns.map(({ name, type }) => `  ${name} ${type}`),
  ])
  return [
    `${signature.schema}.${signature.name}${signature.isReadOnly ? ', reads only' : ''}`,
    ...(parameters.length > 0 ? parameters : ['  no parameters']),
    ...(shapes === null ? ['results: not seen yet'] : sets),
  ].join('\n')
}
