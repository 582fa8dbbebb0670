import { StatusWord } from '../../ui/text/status-word.tsx'

const statusWords = { active: 'active', disabled: 'disabled' } as const

/** `active` or `disabled`, as the wire spells it. */
export function StatusBadge({ status }: { status: 'active' | 'disabled' }) {
  return (
    <StatusWord color={status === 'active' ? 'green' : 'gray'}>{statusWords[status]}</StatusWord>
  )
}
