/** Texts of the pages that sign in and set a password. */
import { textArea } from '../text/areas.ts';

export const loginTexts = textArea('login', {
  title: 'Sign in to Tiding',
  userName: 'User Name',
  password: 'Password',
  signIn: 'Sign in',
  signingIn: 'Signing In',
  mismatch: "The username and password that you entered don't match.",
  firstUse: 'First time here? The terminal that runs the server shows a sign-in link.',
  firstTime: 'First time here? Ask an administrator for an account.',
  forgot: 'Forgot password?',
  forgotTitle: 'Reset your password',
  forgotText: 'Enter the email or user name you sign in with.',
  email: 'Email',
  sendLink: 'Send link',
  // Quoted from Zeppelin.
  linkSent: 'If an active user exists with that email, we have sent a password reset link',
  back: 'Back to sign in',
  sso: 'Single sign-on',
  ssoText: 'Sign in at your organisation. You will then return to this page.',
  usePassword: 'Sign in with a password',
  ssoFailed: 'Single sign-on failed',
  ssoFailedText:
    'You are not signed in. Sign-in was cancelled or took too long, or your organisation ' +
    "doesn't give you access. Try again, or ask an administrator: the reason is in the " +
    'server log.',
  home: 'Go to the start page',
  claim: 'Notes that run where your data is',
  lead:
    'Write queries and code in paragraphs, see tables and charts beside them, and share the ' +
    'result.',
  points: [
    'SQL, Python, JavaScript and shell in one note',
    'Your text is never lost, even if the connection drops',
    'Owners, writers, runners and readers for each note',
  ],
});

export const resetTexts = textArea('reset', {
  title: 'Set a new password',
  invitation: 'Set your password',
  userName: 'Your user name is {name}.',
  password: 'New password',
  confirmation: 'Confirm new password',
  action: 'Set password',
  checking: 'Checking the link…',
  mustMatch: 'Passwords must match',
  done: 'Password successfully updated.',
  elsewhere: "This server doesn't manage passwords. Ask an administrator for a new one.",
  snag: 'The {product} password reset service has hit a snag. Please try again.',
});
