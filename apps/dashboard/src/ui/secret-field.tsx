import { Badge, Button, Group, Input, PasswordInput, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { focusWhenShown } from '../lib/page-focus.ts'

interface SecretFieldProps {
  label: string
  description?: string
  /** For example "A token is stored". */
  storedText: string
  isStored: boolean
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  /** Absent where the secret can only be replaced. */
  clearing?: { isOn: boolean; onChange: (isOn: boolean) => void }
}

/**
 * A secret that can be written but never read back. While one is stored, the field only says so,
 * until it is to be replaced, or the server asks for it again.
 */
export function SecretField(props: SecretFieldProps) {
  const { label, description, isStored, value, error, clearing } = props
  const [isReplacing, setIsReplacing] = useState(false)
  const isTyping = !isStored || isReplacing || Boolean(error)
  if (!isTyping) return <StoredSecret {...props} onReplace={() => setIsReplacing(true)} />

  function handleKeep() {
    setIsReplacing(false)
    props.onChange('')
  }
  return (
    <div>
      <PasswordInput
        label={label}
        description={description}
        value={value}
        onChange={(event) => props.onChange(event.currentTarget.value)}
        error={error}
        autoComplete="new-password"
        {...(isReplacing ? { ref: focusWhenShown } : {})}
        disabled={clearing?.isOn ?? false}
      />
      {isStored && (
        <Button variant="subtle" size="compact-xs" mt={6} onClick={handleKeep}>
          Keep the stored one
        </Button>
      )}
    </div>
  )
}

function StoredSecret(props: SecretFieldProps & { onReplace: () => void }) {
  const { label, description, storedText, clearing, onReplace } = props
  const isClearing = clearing?.isOn ?? false
  return (
    <Input.Wrapper label={label} labelElement="div" description={description}>
      <Group gap="sm" mt={6}>
        {isClearing ? (
          <Text size="sm">It will be cleared when you save.</Text>
        ) : (
          <Badge size="lg" color="gray" leftSection={<IconLock size={14} />}>
            {storedText}
          </Badge>
        )}
        {!isClearing && (
          <Button variant="default" size="compact-sm" onClick={onReplace}>
            Replace
          </Button>
        )}
        {clearing && (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => clearing.onChange(!isClearing)}
          >
            {isClearing ? 'Keep it' : 'Clear'}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  )
}
