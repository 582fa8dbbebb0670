import { ActionIcon } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useLocation } from 'react-router'

const HelpPanel = lazy(async () => ({ default: (await import('./help-panel.tsx')).HelpPanel }))

/** Opens the page of the docs that the screen is about, beside the screen. */
export function HelpButton() {
  const { pathname, search } = useLocation()
  // Refusals of the server name a place in the help by this parameter.
  const asked = new URLSearchParams(search).get('help')
  const [isOpen, setIsOpen] = useState(asked !== null)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setIsOpen(false)
    button.current?.focus()
  }
  return (
    <>
      <ActionIcon
        ref={button}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Help for this screen"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconHelp size={20} aria-hidden />
      </ActionIcon>
      {isOpen &&
        createPortal(
          <Suspense>
            <HelpPanel pathname={pathname} asked={asked} onClose={close} />
          </Suspense>,
          document.body,
        )}
    </>
  )
}
