import { expect, it } from 'vitest'
import { refuseGuessablePassword } from './guessable-password.ts'

const person = { name: 'Ada Lovelace', email: 'ada@analytical.example', username: 'lovelace' }

it.each([
  'password1234',
  'qwertyuiop12',
  '123456789012',
  'aaaaaaaaaaaa',
  'iloveyou1234',
  'Password2026',
  'lovelace1234',
  'adaanalytical',
])('a password from the first lists is refused: %s', async (password) => {
  await expect(refuseGuessablePassword(password, person)).rejects.toMatchObject({
    code: 'request.invalid',
  })
})

it.each(['correct horse battery', 'zx9!plm-Qe47', 'the kettle sings at dawn'])(
  'a password that is not on them is taken: %s',
  async (password) => {
    await expect(refuseGuessablePassword(password, person)).resolves.toBeUndefined()
  },
)
