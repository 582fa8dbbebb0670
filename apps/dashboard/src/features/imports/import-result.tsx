import { Alert, Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import type { Imported } from './import-queries.ts'

const words = { create: 'made', update: 'changed', left: 'left as they were' } as const

/** What the import has made, with where to go next. */
export function ImportResult({ result }: { result: Imported }) {
  const counts = (['create', 'update', 'left'] as const)
    .map((action) => ({
      count: result.endpoints.filter((each) => each.action === action).length,
      word: words[action],
    }))
    .filter(({ count }) => count > 0)
    .map(({ count, word }) => `${count.toLocaleString('en')} ${word}`)
  return (
    <Alert color="green" role="note" title="Imported">
      <Stack gap="xs">
        <Text size="sm">Endpoints: {counts.join(', ')}.</Text>
        {result.apis.map(({ id, name, action }) => (
          <Text key={id} size="sm">
            <Anchor component={Link} underline="always" to={paths.apiEdit(id)}>
              {name}
            </Anchor>{' '}
            {action === 'create' ? 'is new: set how calls sign in to it.' : 'was there already.'}
          </Text>
        ))}
        <Text size="sm">
          <Anchor component={Link} underline="always" to={paths.endpoints}>
            Endpoints
          </Anchor>
          {' · '}
          <Anchor component={Link} underline="always" to={paths.access}>
            Give roles access to them
          </Anchor>
        </Text>
      </Stack>
    </Alert>
  )
}
