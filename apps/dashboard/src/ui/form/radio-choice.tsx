import { Group, Radio, type RadioGroupProps } from '@mantine/core'

interface RadioChoiceProps extends Omit<RadioGroupProps, 'children'> {
  choices: readonly { value: string; label: string }[]
}

/** A few choices side by side. */
export function RadioChoice({ choices, ...group }: RadioChoiceProps) {
  return (
    <Radio.Group {...group}>
      <Group gap="lg" mt={6}>
        {choices.map((choice) => (
          <Radio key={choice.value} {...choice} />
        ))}
      </Group>
    </Radio.Group>
  )
}
