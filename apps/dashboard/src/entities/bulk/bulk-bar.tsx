import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { verbsFor, type BulkKind, type BulkVerb } from './bulk-words.ts'
import type { BulkTarget } from './use-bulk-change.ts'

const BulkDialog = lazyPart(async () => (await import('./bulk-dialog.tsx')).BulkDialog)

interface BulkBarProps {
  kind: BulkKind
  target: BulkTarget
  /** The one thing that is offered; all that the user may do unless given. */
  only?: BulkVerb
  /** Shows the dialog beside the list, whose rows may all go by what is done. */
  show: (dialog: ReactNode) => void
}

/** What can be done to the selected rows. */
export function BulkBar({ kind, target, only, show }: BulkBarProps) {
  const can = useCan()
  const verbs = verbsFor(kind, can).filter(({ verb }) => only === undefined || verb === only)
  return verbs.map(({ verb, label }) => (
    <Button
      key={verb}
      size="compact-sm"
      variant={verb === 'delete' ? 'subtle' : 'default'}
      {...(verb === 'delete' ? { color: 'red' } : {})}
      onClick={() =>
        show(<BulkDialog kind={kind} verb={verb} target={target} onClose={() => show(undefined)} />)
      }
    >
      {label}
    </Button>
  ))
}
