// The schema of what a receipt says about where a signer comes from.
import Type from 'typebox'
import { exact, hexHash, microseconds, orNull, text } from './schema-parts.ts'

const act = {
  by: orNull(Type.String(), 'E-mail address, or `operator`; null where it was not recorded'),
  at: microseconds('When'),
  from: orNull(
    Type.String(),
    'OPERATOR: by command at the server; COMPANY: by a person of the same company; WORKSPACE: by somebody else of the workspace',
  ),
  role: orNull(Type.String(), 'Of who did it, in the workspace then'),
  company: orNull(Type.String(), 'Of who did it then'),
}
export const signerOrigin = exact(
  'Where the signer comes from, as it was recorded. A passkey signs it together with the hash.',
  {
    role: text('Of the signer in the workspace'),
    invited: exact('The newest invitation.', act),
    joinedAt: orNull(microseconds('When they joined'), 'Null for somebody in whose name the operator signed'),
    renewed: orNull(
      exact('A new way in.', { ...act, how: text('LINK or OPERATOR'), usedAt: microseconds('When it was used') }),
      'The newest link for a new password that was used, or password set by the operator',
    ),
    company: orNull(
      exact('The company.', {
        slug: text('Of the party'),
        put: orNull(exact('Who put the signer into it.', act), 'Null where it was not recorded'),
        confirmed: orNull(
          exact('The list of its people that the company confirmed.', {
            by: text('E-mail address of its administrator'),
            at: microseconds('When'),
            hash: hexHash('Of the list'),
            isListed: Type.Boolean({ description: 'Whether the signer is in it' }),
          }),
          'Null: it has confirmed none',
        ),
      }),
      'Null for somebody without one',
    ),
    passkeys: Type.Array(
      exact('A key of the signer’s account.', { id: text('Of the credential'), registeredAt: microseconds('When') }),
    ),
  },
)
