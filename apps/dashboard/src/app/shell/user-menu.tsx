import {
  Avatar,
  Menu,
  Text,
  UnstyledButton,
  VisuallyHidden,
  useMantineColorScheme,
  type MantineColorScheme,
} from '@mantine/core'
import { IconBook, IconUserCircle, IconLogout } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { useLogout, useUser } from '../../lib/session.tsx'

/** The user's name, the colour scheme, the API reference and the logout. */
export function UserMenu() {
  const user = useUser()
  const logout = useLogout()
  return (
    <Menu
      position="bottom-end"
      width={256}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      shadow="md"
    >
      <Menu.Target>
        <UnstyledButton style={{ borderRadius: '50%' }}>
          <VisuallyHidden>Account of {user.name}</VisuallyHidden>
          <Avatar name={user.name} size={34} color="petrol" variant="filled" aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div style={{ padding: '0.5rem 0.75rem', overflowWrap: 'anywhere' }}>
          <Text size="sm" fw={600}>
            {user.name}
          </Text>
          <Text size="xs" c="dimmed">
            {user.email}
          </Text>
          <Text size="xs" c="dimmed">
            {user.role}
          </Text>
        </div>
        <Menu.Divider />
        <ColorSchemeSwitch />
        <Menu.Divider />
        <Menu.Item component={Link} to={paths.account} leftSection={<IconUserCircle size={16} />}>
          My account
        </Menu.Item>
        <Menu.Item component="a" href="/api/docs" leftSection={<IconBook size={16} />}>
          API reference
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void logout()}>
          Logout
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const colorSchemes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'Auto' },
] as const satisfies { value: MantineColorScheme; label: string }[]

function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  function handleChange(chosen: string) {
    const known = colorSchemes.find(({ value }) => value === chosen)
    if (known) setColorScheme(known.value)
  }
  return (
    <>
      <Menu.Label>Theme</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={handleChange}>
        {colorSchemes.map(({ value, label }) => (
          <Menu.RadioItem key={value} value={value}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  )
}
