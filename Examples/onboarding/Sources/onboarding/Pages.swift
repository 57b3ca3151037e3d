import BusinessLogic
import Understudy

let onboarding = SessionValue("onboarding", Onboarding())

func onboardingPages(codes: any CodeSending) -> [Page] {
    [
        Page("number") { NumberController(onboarding: $0[onboarding], codes: $0.recorded(codes)) },
        Page("code") { CodeController(onboarding: $0[onboarding], codes: $0.recorded(codes)) },
        Page("profile") { ProfileController(onboarding: $0[onboarding]) },
    ]
}
