import { Anchor, Badge, Group, Text } from '@mantine/core'
import { Fold } from '../../ui/page/fold.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import type { LastTry } from './last-tries.ts'
import type { TriedValues } from './tried-values.ts'
import classes from './try-it-stages.module.css'

interface LastTriesListProps {
  tries: readonly LastTry[]
  onTake: (values: TriedValues) => void
}

/** Earlier tries of this endpoint; each fills the fields again. */
export function LastTriesList({ tries, onTake }: LastTriesListProps) {
  if (tries.length === 0) return null
  return (
    <Fold title={`Last tries (${tries.length})`}>
      <Text size="xs" c="dimmed" mb="xs">
        Kept in this browser until you sign out, without tokens and other secrets.
      </Text>
      <ul className={classes['tries']}>
        {tries.map(({ at, status, values }) => (
          <li key={at}>
            <Group gap="sm" wrap="nowrap">
              <Badge
                variant="light"
                color={status < 400 ? 'green' : status < 500 ? 'orange' : 'red'}
              >
                {status}
              </Badge>
              <Anchor component="button" type="button" size="sm" onClick={() => onTake(values)}>
                <Moment at={at} isRelative />
              </Anchor>
              <Text size="xs" c="dimmed" ff="monospace" truncate>
                {summaryOf(values)}
              </Text>
            </Group>
          </li>
        ))}
      </ul>
    </Fold>
  )
}

const summaryOf = ({ params, query, body }: TriedValues) =>
  [...Object.values(params), query, body]
    .filter(Boolean)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 200)
