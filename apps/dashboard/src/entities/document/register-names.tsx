import { Text } from '@mantine/core'
import { Fragment } from 'react'

/** Document registers by name, as a cell of a list; a dash where there is none. */
export function RegisterNames({ names }: { names: readonly string[] }) {
  if (names.length === 0) return '–'
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {names.map((name, at) => (
        <Fragment key={name}>
          {at > 0 && ', '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
    </Text>
  )
}
