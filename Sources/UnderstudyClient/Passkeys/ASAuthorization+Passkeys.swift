#if canImport(AuthenticationServices)
    public import AuthenticationServices
    public import Foundation

    @available(iOS 16, macOS 13, *)
    extension PasskeyCreationOptions {
        /// The request for an `ASAuthorizationController`.
        public var request: ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
            ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: relyingParty)
                .createCredentialRegistrationRequest(challenge: challenge, name: userName, userID: user)
        }
    }

    @available(iOS 16, macOS 13, *)
    extension PasskeyRequestOptions {
        /// The request for an `ASAuthorizationController`.
        public var request: ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
            let request = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: relyingParty)
                .createCredentialAssertionRequest(challenge: challenge)
            request.allowedCredentials = allowed.map {
                ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: $0)
            }
            request.userVerificationPreference = requiresUserVerification ? .required : .preferred
            return request
        }
    }

    @available(iOS 16, macOS 13, *)
    extension PasskeyResponse {
        /// A passkey that was created; `nil` if its device has sent a statement about its make, which was not asked for.
        public static func registration(_ credential: ASAuthorizationPlatformPublicKeyCredentialRegistration) -> String?
        {
            credential.rawAttestationObject.flatMap { object in
                registration(
                    id: credential.credentialID,
                    clientDataJSON: credential.rawClientDataJSON,
                    attestationObject: object
                )
            }
        }

        /// What a passkey has signed.
        public static func login(_ credential: ASAuthorizationPlatformPublicKeyCredentialAssertion) -> String {
            login(
                id: credential.credentialID,
                clientDataJSON: credential.rawClientDataJSON,
                authenticatorData: credential.rawAuthenticatorData,
                signature: credential.signature,
                user: credential.userID
            )
        }
    }
#endif
