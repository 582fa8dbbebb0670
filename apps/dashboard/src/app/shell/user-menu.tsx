import {
  Avatar,
  UnstyledButton,
  VisuallyHidden,
  useMantineColorScheme,
  type MantineColorScheme,
} from '@mantine/core'
import { IconBook, IconCheck, IconUserCircle, IconLogout } from '@tabler/icons-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { reasonOf } from '../../lib/calls/call-error.ts'
import { call } from '../../lib/calls/call.ts'
import { language, showLanguage, type Language } from '../../lib/format/language.ts'
import { notifyError } from '../../lib/page/notify.tsx'
import { focusWhenShown } from '../../lib/page/page-focus.ts'
import { useLogout, useUser } from '../../lib/session/session.tsx'
import { CornerPanel } from '../../ui/page/corner-panel.tsx'
import { languageChoices } from '../../ui/page/language-choice.tsx'
import classes from './user-menu.module.css'

/** The user's name, the colour scheme, the language, the API reference and the logout. */
export function UserMenu() {
  const user = useUser()
  const [isOpen, setIsOpen] = useState(false)
  const menuId = useId()
  const close = () => setIsOpen(false)
  return (
    <CornerPanel
      isOpen={isOpen}
      onClose={close}
      button={
        <UnstyledButton
          className={classes['button'] ?? ''}
          aria-haspopup="menu"
          aria-expanded={isOpen}
          {...(isOpen ? { 'aria-controls': menuId } : {})}
          onClick={() => setIsOpen(!isOpen)}
        >
          <VisuallyHidden>Account of {user.name}</VisuallyHidden>
          <Avatar name={user.name} size={34} color="petrol" variant="filled" aria-hidden />
        </UnstyledButton>
      }
    >
      <div className={classes['user']}>
        <b>{user.name}</b>
        <span>{user.email}</span>
        <span>{user.role}</span>
      </div>
      <Entries id={menuId} onClose={close} />
    </CornerPanel>
  )
}

function Entries({ id, onClose }: { id: string; onClose: () => void }) {
  const logout = useLogout()
  return (
    <div
      id={id}
      role="menu"
      aria-label="Account"
      tabIndex={-1}
      className={classes['entries']}
      ref={focusWhenShown}
      onKeyDown={moveFocus}
    >
      <ColorSchemeSwitch />
      <hr />
      <LanguageSwitch />
      <hr />
      <Link role="menuitem" to={paths.account} onClick={onClose}>
        <IconUserCircle size={16} aria-hidden />
        My account
      </Link>
      <a role="menuitem" href="/api/docs">
        <IconBook size={16} aria-hidden />
        API reference
      </a>
      <button type="button" role="menuitem" onClick={() => void logout()}>
        <IconLogout size={16} aria-hidden />
        Logout
      </button>
    </div>
  )
}

/** The arrow keys, Home and End lead through the entries (ARIA: menu). */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (Math.max(at, 0) - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }[event.key]
  if (next === undefined) return
  event.preventDefault()
  items[next]?.focus()
}

const colorSchemes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'Auto' },
] as const satisfies { value: MantineColorScheme; label: string }[]

/** For the user on every device: the server keeps it. */
async function choose(language: Language) {
  try {
    await call('PUT /api/language', { body: { language } })
    showLanguage(language)
  } catch (error) {
    notifyError('The language was not changed.', reasonOf(error))
  }
}

function LanguageSwitch() {
  return (
    <fieldset aria-label="Language">
      {languageChoices.map(([code, name]) => (
        <button
          key={code}
          type="button"
          role="menuitemradio"
          lang={code}
          aria-checked={code === language}
          onClick={() => void choose(code)}
        >
          <IconCheck size={16} aria-hidden />
          {name}
        </button>
      ))}
    </fieldset>
  )
}

function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <fieldset aria-label="Theme">
      {colorSchemes.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          role="menuitemradio"
          aria-checked={value === colorScheme}
          onClick={() => setColorScheme(value)}
        >
          <IconCheck size={16} aria-hidden />
          {label}
        </button>
      ))}
    </fieldset>
  )
}
