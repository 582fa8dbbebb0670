import { Group, Pill } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { tokenNames } from '../../../entities/token/token-names.ts'
import { useCan } from '../../../lib/session/session.tsx'
import { NamedSelect } from '../../../ui/filters/named-select.tsx'

interface ChosenTokensProps {
  label: string
  ids: readonly string[]
  onChange: (ids: string[]) => void
  error?: ReactNode
}

/** Personal tokens, to be added and removed. Without the permission to see tokens they show their ids. */
export function ChosenTokens({ label, ids, onChange, error }: ChosenTokensProps) {
  const can = useCan()
  const first = useQuery({ ...tokenNames.matching(''), enabled: can('token.view') })
  const nameOf = (id: string) =>
    first.data?.find((each) => String(each.id) === id)?.name ?? `Token ${id}`
  return (
    <div>
      {can('token.view') && (
        <NamedSelect
          source={tokenNames}
          label={label}
          placeholder="Add a token"
          value=""
          onChange={(id) => id !== null && !ids.includes(id) && onChange([...ids, id])}
          error={error}
        />
      )}
      <Group gap="xs" mt={ids.length > 0 ? 'xs' : 0}>
        {ids.map((id) => (
          <Pill
            key={id}
            size="md"
            withRemoveButton
            onRemove={() => onChange(ids.filter((each) => each !== id))}
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
