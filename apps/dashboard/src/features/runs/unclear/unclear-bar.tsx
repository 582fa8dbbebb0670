import { Button, Kbd, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { lazyPart } from '../../../lib/page/lazy-part.tsx'
import { useCan } from '../../../lib/session/session.tsx'
import { useListKeys } from '../../../lib/keys/use-row-keys.ts'
import {
  unclearVerbs,
  verbKeys,
  verbPermissions,
  verbWords,
  type UnclearTarget,
  type UnclearVerb,
} from './unclear-verbs.ts'

const UnclearDialog = lazyPart(async () => (await import('./unclear-dialog.tsx')).UnclearDialog)

interface UnclearActionsProps {
  target: UnclearTarget
  /** Shows the dialog beside the list, whose rows may all go by what is done. */
  show: (dialog: ReactNode) => void
}

function useVerbs({ target, show }: UnclearActionsProps) {
  const can = useCan()
  return {
    verbs: unclearVerbs.filter((verb) => can(verbPermissions[verb])),
    begin: (verb: UnclearVerb) =>
      show(<UnclearDialog verb={verb} target={target} onClose={() => show(undefined)} />),
  }
}

/** What can be done to the selected runs, by button or key. */
export function UnclearBar(props: UnclearActionsProps) {
  const { verbs, begin } = useVerbs(props)
  useListKeys(verbs.map((verb) => [verbKeys[verb], () => begin(verb)]))
  return verbs.map((verb) => (
    <Button
      key={verb}
      size="compact-sm"
      variant="default"
      rightSection={
        <Kbd size="xs" aria-hidden visibleFrom="xs">
          {verbKeys[verb]}
        </Kbd>
      }
      onClick={() => begin(verb)}
    >
      {verbWords[verb]}
    </Button>
  ))
}

/** The same to all runs that the filter finds, on every page. */
export function AllUnclear(props: UnclearActionsProps) {
  const { verbs, begin } = useVerbs(props)
  if (verbs.length === 0) return null
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
          All that match
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {verbs.map((verb) => (
          <Menu.Item key={verb} onClick={() => begin(verb)}>
            {verbWords[verb]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
