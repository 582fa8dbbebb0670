import { Group, Pill } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { tokenNames } from '../../entities/token/token-names.ts'
import { useCan } from '../../lib/session.tsx'
import { NamedSelect } from '../../ui/named-select.tsx'
import type { ApiFormState } from './api-form-values.ts'

const field = 'traffic_policy.canary.token_ids'

/** The tokens whose calls go to the canary. Without the permission to see tokens they show their ids. */
export function CanaryTokens({ form }: { form: ApiFormState }) {
  const can = useCan()
  const ids = form.values.traffic_policy.canary.token_ids
  const first = useQuery({ ...tokenNames.matching(''), enabled: can('token.view') })
  const nameOf = (id: string) =>
    first.data?.find((each) => String(each.id) === id)?.name ?? `Token ${id}`
  const set = (next: string[]) => form.setFieldValue(field, next)
  return (
    <div>
      {can('token.view') && (
        <NamedSelect
          source={tokenNames}
          label="Tokens that lead there"
          placeholder="Add a token"
          value=""
          onChange={(id) => id !== null && !ids.includes(id) && set([...ids, id])}
          error={form.errors[field]}
        />
      )}
      <Group gap="xs" mt={ids.length > 0 ? 'xs' : 0}>
        {ids.map((id) => (
          <Pill
            key={id}
            size="md"
            withRemoveButton
            onRemove={() => set(ids.filter((each) => each !== id))}
            removeButtonProps={{
              'aria-label': `Remove ${nameOf(id)}`,
              'aria-hidden': false,
              tabIndex: 0,
            }}
          >
            {nameOf(id)}
          </Pill>
        ))}
      </Group>
    </div>
  )
}
