import { StatusWord } from '../../ui/status-word.tsx'

/** `active` or `disabled`, as the wire spells it. */
export function StatusBadge({ status }: { status: 'active' | 'disabled' }) {
  return <StatusWord color={status === 'active' ? 'green' : 'gray'}>{status}</StatusWord>
}
