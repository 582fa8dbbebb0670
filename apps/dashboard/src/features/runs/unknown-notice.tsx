import { Alert, Anchor, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { unknownSentence } from '../../entities/run/run-words.ts'
import { runQueries } from '../../entities/run/run-queries.ts'
import { unknownWords } from './unknown-words.ts'

/** On the dashboard's home, while the outcome of a run is unknown. */
export function UnknownNotice() {
  const { data } = useQuery(runQueries.unknown())
  if (!data || data.count === 0) return null
  return (
    <Alert color="yellow" title={unknownWords(data)} icon={<IconAlertTriangle aria-hidden />}>
      <Text size="sm">{unknownSentence}.</Text>
      <Group gap="md" mt={4}>
        <Anchor component={Link} to={`${paths.runs}?state=unknown`} size="sm">
          {data.count === 1 ? 'Show it in the history' : 'Show them in the history'}
        </Anchor>
        {data.oldest && data.count > 1 && (
          <Anchor component={Link} to={paths.run(data.oldest.run_id)} size="sm">
            Open the oldest
          </Anchor>
        )}
      </Group>
    </Alert>
  )
}
