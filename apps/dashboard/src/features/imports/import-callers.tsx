import { Badge, Text } from '@mantine/core'
import type { Outcome } from './import-choice.ts'

function rolesWords(count: number): string {
  if (count === 0) return 'with a token: no role yet'
  return count === 1 ? 'with a token: 1 role' : `with a token: ${count} roles`
}

/** Who may call an endpoint after the import. */
export function Callers({ of }: { of: Pick<Outcome, 'is_token_required' | 'roles_count'> }) {
  const { is_token_required, roles_count } = of
  if (!is_token_required) return <Badge color="orange">anyone: no token is asked for</Badge>
  return (
    <Text span size="xs" c="dimmed">
      {rolesWords(roles_count)}
    </Text>
  )
}
