import { Badge, Button, Group, Input, PasswordInput, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { focusWhenShown } from '../../lib/page/page-focus.ts'

interface SecretFieldProps {
  label: string
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
 * A secret that can be written but never read back. While one is stored, the field only says so. The
 * user can replace it, and a refusal of the server opens the field.
 */
export function SecretField(props: SecretFieldProps) {
  const { label, storedText, isStored, value, onChange, error, clearing } = props
  const [isReplacing, setIsReplacing] = useState(false)
  const [isFocusDue, setIsFocusDue] = useState(false)
  // The field stays open, although the first key removes the message.
  if (Boolean(error) && !isReplacing) setIsReplacing(true)
  const isClearing = clearing?.isOn ?? false
  const isTyping = !isStored || (isReplacing && !isClearing)

  function handleReplace() {
    setIsReplacing(true)
    setIsFocusDue(true)
  }
  function handleKeep() {
    setIsReplacing(false)
    setIsFocusDue(false)
    onChange('')
    clearing?.onChange(false)
  }
  function handleClear() {
    handleKeep()
    clearing?.onChange(true)
  }
  const buttons = isStored && (
    <>
      {!isTyping && !isClearing && <Choice onClick={handleReplace}>Replace</Choice>}
      {(isTyping || isClearing) && <Choice onClick={handleKeep}>Keep the stored one</Choice>}
      {clearing && !isClearing && <Choice onClick={handleClear}>Clear</Choice>}
    </>
  )
  if (isTyping) {
    return (
      <div>
        <PasswordInput
          label={label}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={error}
          aria-invalid={Boolean(error)}
          autoComplete="new-password"
          {...(isFocusDue ? { ref: focusWhenShown } : {})}
        />
        {buttons && (
          <Group gap="xs" mt="xs">
            {buttons}
          </Group>
        )}
      </div>
    )
  }
  return (
    <Input.Wrapper label={label} labelElement="div">
      <Group gap="xs" mt={4}>
        {isClearing ? (
          <Text size="sm">It will be cleared when you save.</Text>
        ) : (
          <Badge size="lg" color="gray" leftSection={<IconLock size={14} />}>
            {storedText}
          </Badge>
        )}
        {buttons}
      </Group>
    </Input.Wrapper>
  )
}

function Choice({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Button variant="default" size="compact-sm" onClick={onClick}>
      {children}
    </Button>
  )
}
