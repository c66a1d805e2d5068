# Read by the steps that run the tool, the engine or a program.

# An empty variable is not an unset one to Pulumi.
for name in PULUMI_BACKEND_URL PULUMI_ACCESS_TOKEN DEPLOYMENT_CONTROL_API_KEY; do test -n "${!name:-}" || unset "$name"; done
test -z "${PULUMI_CONFIG_PASSPHRASE_FILE:-}" || unset PULUMI_CONFIG_PASSPHRASE

# The runner obeys commands in whatever a step prints. So what others say stands between stop-commands, with a token that
# nobody can know.
stop=$(openssl rand -hex 16)
trap 'echo "::$stop::"' EXIT
echo "::stop-commands::$stop"
