import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { LanguageChoice } from '../../ui/page/language-choice.tsx'
import { LoginFrame } from './login-frame.tsx'

/** A page beside the login, from which one goes back to it. */
export function PasswordPageFrame({ text, children }: { text: string; children: ReactNode }) {
  return (
    <LoginFrame text={text}>
      {children}
      <Button component={Link} to={paths.login} variant="subtle" fullWidth mt="xs">
        Back to the login
      </Button>
      <LanguageChoice />
    </LoginFrame>
  )
}
