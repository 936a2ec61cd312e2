/** The forms by which a reviewer approves or refuses a pack. */
import type { FC } from 'hono/jsx'
import { ActForm } from '../parts/frame.tsx'
import type { Person } from '../parts/guard.ts'

export const Review: FC<{ runId: string; person: Person; seen: string }> = ({
  runId,
  person,
  seen,
}) => (
  <>
    <ActForm action={`/packs/${runId}/approve`} person={person} seen={seen}>
      <label>
        Scope of the review
        <input name="reason" value="reviewed" maxlength={200} required />
      </label>
      <label class="tick">
        <input type="checkbox" name="yes" value="yes" />
        Approve although decisions were made after the pack, or it was refused
      </label>
      <button type="submit">Approve</button>
    </ActForm>
    <ActForm action={`/packs/${runId}/refuse`} person={person} seen={seen}>
      <label>
        Reason for a refusal
        <input name="reason" maxlength={200} required />
      </label>
      <button type="submit">Refuse</button>
    </ActForm>
  </>
)
